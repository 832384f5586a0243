import { apiError, chooseLanguage, readEmail, readOptions, type ValidateResponse } from '@postern/contract';
import type { PlaygroundAnswer } from '@postern/contract/dashboard';
import type { CheckInput } from '../checks/check.ts';
import { type AskMailRoute, createCheckInput, needDns } from '../checks/check-input.ts';
import { recallChecks } from '../checks/recall-checks.ts';
import type { RunOptions } from '../checks/run-checks.ts';
import { checkResults, roundMs } from '../decision/check-results.ts';
import { answerSignals, messageOf } from '../decision/decide.ts';
import { messageLanguage } from '../decision/message-text.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Project } from '../model/project.ts';
import { parseWrittenIp } from '../model/written-ip.ts';
import type { RecordParts } from '../record/prepare-record.ts';
import { findProject } from './change-project.ts';
import { checkNamesOf, inspect } from './check-address.ts';
import type { MemberRateLimit } from './member-rate-limit.ts';
import { type DashboardHandlers, memberOf, ok, type RouteCall } from './operation.ts';
import { changedPolicy } from './project-fields.ts';

export interface PlaygroundParts extends RecordParts {
  readonly limitMember: MemberRateLimit;
  readonly mailRoute: AskMailRoute;
  readonly runOptions: RunOptions;
}

/** A validation as for a backend. It uses no quota and is not stored. */
export function playgroundRoutes(parts: PlaygroundParts) {
  return {
    'POST /projects/:id/playground': async (call) => ok(await play(parts, call)),
  } satisfies Partial<DashboardHandlers>;
}

async function play(
  parts: PlaygroundParts,
  call: RouteCall<'POST /projects/:id/playground'>,
): Promise<PlaygroundAnswer> {
  const { admin } = call;
  parts.limitMember(memberOf(call).id);
  const fields = call.body;
  const current = await findProject(admin, call.params.id);
  const project = { ...current, policy: changedPolicy(fields.policy ?? {}, current.policy) };
  const input = readInput(parts, fields, project, admin.now());
  if ('status' in input) return input;

  const started = parts.runOptions.stopwatch();
  const { policy } = project;
  const language = typeof fields.locale === 'string' ? chooseLanguage(fields.locale) : 'en';
  const { runs, record, judgeWith } = await inspect(parts, project, input);
  const history = await admin.store.memory.recall(project, record);
  const judgement = judgeWith(history);
  const recalled = recallChecks(runs, history);
  const body: ValidateResponse = {
    checks: checkResults(recalled),
    metadata: {
      fingerprintHash: input.fingerprintHash ?? null,
      previousSignups: history.device?.previousSignups ?? 0,
      totalLatency: roundMs(parts.runOptions.stopwatch() - started),
    },
    message: messageOf(judgement, project, messageLanguage(policy, language), recalled)?.text ?? null,
    recommendation: judgement.recommendation,
    signals: answerSignals(judgement),
  };
  return { status: 200, body };
}

/** Reads the fields as if a server key had sent them. Returns the input of the checks, or the error of the request. */
function readInput(
  parts: PlaygroundParts,
  fields: Readonly<Record<string, unknown>>,
  project: Project,
  now: number,
): CheckInput | PlaygroundAnswer {
  const { policy: _policy, ...body } = fields;
  const email = readEmail(body);
  if (!email.ok) return refusal(email.error);
  const address = parseEmailAddress(email.value);
  if (address === undefined) return refusal(apiError('EMAIL_MALFORMED'));
  const options = readOptions(body, 'server', (text) => parseWrittenIp(text) !== undefined);
  if (!options.ok) return refusal(options.error);
  const { ip, fingerprintHash, userAgent } = options.value;
  const facts = {
    address,
    fingerprintHash,
    ip: ip === undefined ? undefined : parseWrittenIp(ip),
    userAgent,
    project,
    now,
  };
  const asksDns = needDns(parts.checks, checkNamesOf(project.policy));
  return createCheckInput(facts, asksDns ? parts.mailRoute : undefined);
}

function refusal({ status, body }: ReturnType<typeof apiError>): PlaygroundAnswer {
  return { status, body };
}
