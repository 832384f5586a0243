import { WEBHOOK_SECRET_PREFIX } from '@postern/contract';
import { ConfigurationDocument } from '@postern/contract/configuration';
import { type BodyOf, NewWebhook } from '@postern/contract/dashboard-routes';
import type { ProjectPatch } from '@postern/contract/project-fields';
import { InvalidInput, quoted } from '../administration.ts';
import { storedFields } from '../project-fields.ts';
import { readBody, readWith } from '../read-body.ts';
import { FORMS, type Plans } from '../value-forms.ts';
import { readWebhook } from '../webhooks.ts';
import type { FaultCollector, Path, SourceDocument } from './source-document.ts';
import { type Environment, filledIn, type GivenWebhook, idInHiddenUrl, shownUrl } from './webhook-url.ts';

/** What a document says about a project, each value checked. */
export interface GivenProject {
  readonly id: string;
  readonly archived: boolean | undefined;
  readonly patch: ProjectPatch;
  readonly webhooks: readonly GivenWebhook[] | undefined;
  readonly source: SourceDocument;
}

interface ReadingContext {
  readonly plans: Plans;
  readonly environment: Environment;
  readonly faults: FaultCollector;
}

/** The path stands before it. */
function nameOf(path: Path): string {
  const name = path.at(-1) ?? 'A document';
  return typeof name === 'number' ? 'It' : name;
}

type FileWebhook = BodyOf<'POST /projects/:id/webhooks'> & { readonly secret?: string };

/** Reads a document with the schema that editors use. Faults are collected with their places. */
export function readDocument(source: SourceDocument, context: ReadingContext): GivenProject | undefined {
  const { faults, plans, environment } = context;
  const { data, faults: found } = readWith(ConfigurationDocument, source.value, plans, true);
  for (const { path, about = nameOf(path), error } of found)
    faults.add(source, path, about === '' ? error : `${about} ${error}`);
  const isFine = (index: number) =>
    !found.some(({ path }) => path[0] === 'webhooks' && [undefined, index].includes(path[1] as number));
  const given = (source.value as { readonly webhooks?: readonly FileWebhook[] } | null)?.webhooks;
  const webhooks = Array.isArray(given)
    ? given.flatMap((webhook, index) => {
        if (!isFine(index)) return [];
        return (
          faults.attempt(source, ['webhooks', index], () => readWebhookEntry(webhook, environment)) ?? []
        );
      })
    : undefined;
  if (data === undefined || found.length > 0) return undefined;
  const { project: id, archived, webhooks: _webhooks, policy, ...fields } = data;
  const patch = { ...storedFields(fields as ProjectPatch), ...(policy !== undefined && { policy }) };
  return { id, archived, patch, webhooks, source };
}

function readWebhookEntry({ url, secret, ...fields }: FileWebhook, environment: Environment): GivenWebhook {
  const written = url.trim();
  const kept = idInHiddenUrl(written);
  const filled = kept === undefined ? filledIn(written, 'url', environment) : 'https://kept.invalid';
  // The message must not repeat what the environment has.
  if (filled !== written && kept === undefined && FORMS.webhookUrl(filled).length > 0)
    throw new InvalidInput('url', `${quoted(written)} does not become a URL that events can be sent to.`);
  const body = readBody(NewWebhook, { ...fields, url: filled });
  return {
    settings: readWebhook(body),
    written: kept === undefined ? shownUrl(written, filled) : written,
    kept,
    secret: readSecret(secret, environment),
  };
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

function readSecret(secret: string | undefined, environment: Environment): string | undefined {
  if (secret === undefined) return undefined;
  const value = filledIn(secret, 'secret', environment);
  // The message must not repeat the secret.
  if (!SECRET.test(value))
    throw new InvalidInput(
      'secret',
      `The secret in ${secret} must be ${WEBHOOK_SECRET_PREFIX} and 24 to 64 bytes in base64.`,
    );
  return value;
}
