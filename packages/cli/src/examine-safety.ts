import type { SafetyItem, SafetyItemId } from '@postern/contract/dashboard';
import type { Config } from '@postern/service/config';
import type { Administration } from '@postern/service/operations/administration';
import { andMore } from './and-more.ts';
import type { Diagnosis } from './doctor.ts';

/** The command that fixes a finding of a project. */
const COMMANDS: Readonly<Partial<Record<SafetyItemId, string>>> = {
  'client-overrides': 'npx postern project update ID --client-overrides tighten',
  'visitor-rate': 'npx postern project update ID --visitor-rate 120',
  'server-reserve': 'npx postern project update ID --server-reserve N',
  'demo-keys': 'npx postern key list, then npx postern key revoke ID',
};

/** The checklist that the dashboard shows too. */
export async function examineSafety(
  settings: Config,
  administration: Pick<Administration, 'store' | 'now' | 'plans'>,
): Promise<Diagnosis[]> {
  const { readSafetyChecklist } = await import('@postern/service/operations/safety-checklist');
  return (await readSafetyChecklist(administration, { settings })).map(diagnosisOf);
}

function diagnosisOf({ id, title, finding, fix, projects }: SafetyItem): Diagnosis {
  const part = title.toLowerCase();
  if (fix === null) return { part, state: 'ok', says: finding };
  const says =
    projects.length === 0 ? finding : `${andMore(projects.slice(0, 3), projects.length)}: ${finding}`;
  const command = COMMANDS[id];
  return { part, state: 'attention', says, advice: command === undefined ? fix : `${fix} ${command}` };
}
