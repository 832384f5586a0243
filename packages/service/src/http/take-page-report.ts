import { apiError } from '@postern/contract';
import type { Gatekeeper } from '../admission/admission.ts';
import { BoundedMap } from '../model/bounded-map.ts';
import { RequestBudget } from '../store/deadline.ts';
import type { ProjectStore } from '../store/tables/project-table.ts';
import { type HttpRequest, type HttpResponse, refusal } from './http-message.ts';
import { readCaller } from './read-caller.ts';

export interface PageReportParts {
  readonly gatekeeper: Gatekeeper;
  readonly projects: Pick<ProjectStore, 'noteMissingForm'>;
  readonly now: () => number;
}

export type TakePageReport = (request: HttpRequest) => Promise<HttpResponse>;

const MAX_FORM_LENGTH = 64;
const MAX_REMEMBERED = 1_000;
/** Anybody can send a client key, so that each writes to the store this often at most. */
const LEAST_MS = 1_000;
const DONE: HttpResponse = { status: 200, headers: {}, body: '{}', label: 'page-report' };

/** `POST /v1/page-reports`: the script of a page found no form. Uses neither quota nor rate. */
export function createPageReports({ gatekeeper, projects, now }: PageReportParts): TakePageReport {
  const notedAt = new BoundedMap<string, number>(MAX_REMEMBERED);
  return async (request) => {
    // A key that was just revoked may still report: a flood must not read the store each time.
    const admission = await gatekeeper.admit(readCaller(request), false, new RequestBudget());
    if (!admission.admitted) return refusal(admission.error);
    const form = formIn(request.body);
    if (form === undefined) return refusal(apiError('BODY_NOT_JSON'));
    const { projectId, id: keyId } = admission.resolved.key;
    const at = Math.floor(now());
    if (at - (notedAt.get(keyId) ?? 0) < LEAST_MS) return DONE;
    notedAt.set(keyId, at);
    await projects.noteMissingForm(projectId, { keyId, form, at });
    return DONE;
  };
}

/** The selector of the form, without what cannot be printed. */
function formIn(body: Buffer): string | undefined {
  try {
    const { form } = JSON.parse(body.toString()) as { readonly form?: unknown };
    const printed = typeof form === 'string' ? form.replaceAll(/\p{C}+/gu, '').trim() : '';
    return printed === '' ? undefined : [...printed].slice(0, MAX_FORM_LENGTH).join('');
  } catch {
    return undefined;
  }
}
