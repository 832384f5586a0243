/** Rules that people write, and the lists that rules name, both as JSON. */
export const rulesOfProjects = `
ALTER TABLE project ADD COLUMN rules TEXT NOT NULL DEFAULT '[]';
ALTER TABLE project ADD COLUMN named_lists TEXT NOT NULL DEFAULT '{}';

-- Every version of a project's policy and rules, both as JSON, with who saved it and why. Written with the project.
CREATE TABLE policy_version (
  project_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT,
  policy TEXT NOT NULL,
  rules TEXT NOT NULL,
  PRIMARY KEY (project_id, number)
) WITHOUT ROWID;
`;
