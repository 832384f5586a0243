import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checksum } from './migration.ts';
import { postgresSchemas, sqliteSchemas } from './schemas.ts';

/**
 * Every released step with its checksum, which is also stored in the databases that applied it. Each new step adds a
 * line. A line never changes: databases that applied the old text would refuse to open.
 */
const LANDED: Readonly<Record<string, readonly string[]>> = {
  'PostgreSQL store': [
    '1 first-tables 5a5bfdcfaa0cdb3c81d82a58c6e321319f2a2c07344cb19c19a1c3375d9ed65a',
    '2 settle 9b935f9e39975d547fef35ab17d1ecd76482b3813ad0f2e9954bca04ea8ca71c',
    '3 settle-in-waves 5a97229db54f073a0fc7cda30639447370eee15d13659a9a95786856a34b715d',
    '4 blocked-sightings c3f0c2b33a82a9ba9ae9932bf65d7192f518136408ee3601a550e04658131c6a',
    '5 limits d21f88c5ddc4432c63577c294aaaefa9375c914ad4486fdf37b86fa432b4a317',
  ],
  'PostgreSQL dashboard': [
    '1 people b1fb13f267f4573db2a785a77f788769254141f6a3f06ad5d423a92e7060df06',
    '2 access b625c163fa74575c85b8c944b2fbc2f1ca0945183fd908fb82d59285061e4e34',
    '3 onboarding be1ee3c5b961ab5c670e958c6ce70eadfb1aeb3778fc4800b057242c7f91a1aa',
  ],
  'PostgreSQL events': [
    '1 outcomes-and-events b7c6432e584d5bb49847cbd91cbbc1b8259d1b49a193fb594dae9e52f69089d7',
    '2 known-outcomes d8a908cde8500dc23aa4ac10f7cd0599b6020b23e8ec83d786dfd03964e43615',
  ],
  'PostgreSQL statistics': ['1 statistics b148e0baa13080e9c0e9843e1d77872bd2662c0a4a5e3f9a6f6d2894b3a1ed17'],
  'PostgreSQL views': ['1 saved-views 6eb5308a35896a16ca7062ef57569f7115cc7aeac0439d5b4a030914f7d65413'],
  'SQLite store': [
    '1 first-tables 684b5369a0878acf9d3a63f966da041ed79a082c88fcef1060131027c00d5542',
    '2 blocked-sightings 2b078b5c77d87308e806be7833e2f0d4e8b5b7f78d8197218f0d8712df0b811a',
    '3 limits 79a55cf11b723a0184788c32fead25a18f5499181b6db512512a7681d91c973b',
  ],
  'SQLite events': [
    '1 outcomes-and-events 66ee5624dbe0b5fc3a8863d4fb0423e23d2efc8d56de80ed700e0e3a060d6781',
    '2 known-outcomes d8a908cde8500dc23aa4ac10f7cd0599b6020b23e8ec83d786dfd03964e43615',
  ],
  'SQLite statistics': ['1 statistics 11bde4272ddff8a8fc2666ccdd0f1e16a6696b46bbaccc0fad4923695f5d9069'],
  'SQLite views': ['1 saved-views 3acfb582a5b5ba3ecaf1c7336c1f2c9c8a7253fb912d2e3c237d2ffc93968f41'],
  'SQLite dashboard': [
    '1 people 029959adf67c0dd08820b089cc8079c75a5f029c0314a2fad5c2ef98b72727f6',
    '2 access 639034dcef5e8ac86ca1a3e04b96664e239b932b472e9c4dbe7ac99f3e3c2999',
    '3 onboarding 486bce5bd04297ac5da1107f7811918382a2c4495fc07bdf4ba8c1ee9e7246be',
  ],
};

const LINES = [
  ...postgresSchemas.map((line) => ['PostgreSQL', line] as const),
  ...sqliteSchemas.map((line) => ['SQLite', line] as const),
];

it.each(LINES)('the migrations of %s have not changed since they landed', (engine, line) => {
  const steps = line.migrations.map((step) => `${step.number} ${step.name} ${checksum(step)}`);
  expect(steps).toEqual(LANDED[`${engine} ${line.name}`]);
});

it.each(LINES)('the migrations of %s are numbered from 1 on', (_engine, line) => {
  expect(line.migrations.map(({ number }) => number)).toEqual(line.migrations.map((_, index) => index + 1));
});

it.each(LINES)('docs/upgrading.md lists the migrations of %s', (engine, line) => {
  const notes = readFileSync(new URL('../../../../docs/upgrading.md', import.meta.url), 'utf8');
  for (const { number, name } of line.migrations)
    expect(notes).toContain(`| ${engine} | ${line.name} | ${number} ${name} |`);
});
