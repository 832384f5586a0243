/** Rules that people write, and the lists that rules name, both as JSON. The same in both dialects. */
export const rulesOfProjects = `
ALTER TABLE project ADD COLUMN rules TEXT NOT NULL DEFAULT '[]';
ALTER TABLE project ADD COLUMN named_lists TEXT NOT NULL DEFAULT '{}';
`;
