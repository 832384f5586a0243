import { hash } from 'node:crypto';
import {
  DISPOSABLE_LIST_PATH,
  DISPOSABLE_LIST_TYPE,
  type DisposableListClaims,
  encodeDisposableList,
  joinHash,
} from '@postern/contract';
import type { FastifyInstance } from 'fastify';
import type { DomainList } from '../../lookup/domain-list.ts';
import { CONFIDENCES, confidenceOf, ENTRY_KIND, kindOf } from '../../lookup/domain-list-format.ts';
import type { VerdictSigner } from '../../record/verdict.ts';
import type { VerdictKeys } from '../../record/verdict-keys.ts';

interface PublishedList {
  readonly body: Buffer;
  readonly etag: string;
  readonly version: string;
  readonly signer: VerdictSigner;
}

/**
 * The disposable domains as one small signed file, so that a backend can block them when it cannot ask the service,
 * because its quota is used up or the service is down. No key is needed, because the list has only hashes of public
 * data and no data of a project.
 */
export function addDisposableListRoute(
  server: FastifyInstance,
  domainList: () => DomainList,
  verdictKeys: Pick<VerdictKeys, 'freshSigner'>,
  now: () => number,
): void {
  let encoded: { readonly version: string; readonly list: Uint8Array; readonly sha256: string } | undefined;
  let published: PublishedList | undefined;

  const publish = async (): Promise<PublishedList> => {
    const { version, date } = domainList();
    if (encoded?.version !== version) {
      const list = encodeDisposableList(readSets(domainList()));
      encoded = { version, list, sha256: hash('sha256', list, 'base64url') };
    }
    const { list, sha256 } = encoded;
    const iat = Math.floor(Date.parse(date) / 1000);
    const claims: DisposableListClaims = { iss: 'postern', iat, version, sha256 };
    const signer = await verdictKeys.freshSigner();
    if (published?.signer === signer && published.version === version) return published;
    // The key or the data changed, so the list is signed again. The same key and data give the same bytes in every
    // process.
    const line = await signer.signDocument(DISPOSABLE_LIST_TYPE, claims, now());
    const body = Buffer.concat([Buffer.from(`${line}\n`, 'latin1'), list]);
    const etag = `"${hash('sha256', line, 'base64url').slice(0, 22)}"`;
    published = { body, etag, version, signer };
    return published;
  };

  server.get(DISPOSABLE_LIST_PATH, { exposeHeadRoute: true }, async (request, reply) => {
    const { body, etag } = await publish();
    reply
      .header('ETag', etag)
      .header('Cache-Control', 'public, max-age=3600')
      .header('Access-Control-Allow-Origin', '*');
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/octet-stream').send(body);
  });
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}

/** The domains that the disposable check fails without asking DNS. Those with confidence `low` are left out. */
const LEAST_CONFIDENCE = CONFIDENCES.indexOf('medium');

function readSets(list: DomainList): { listed: number[]; freeHosts: number[]; exceptions: number[] } {
  const sets = { listed: [] as number[], freeHosts: [] as number[], exceptions: [] as number[] };
  list.forEachEntry((high, low, value) => {
    const kind = kindOf(value);
    const sure = confidenceOf(value) >= LEAST_CONFIDENCE;
    const hashed = joinHash(high, low);
    if (kind === ENTRY_KIND.freeHost) sets.freeHosts.push(hashed);
    if ((kind === ENTRY_KIND.listed || kind === ENTRY_KIND.freeHost) && sure) sets.listed.push(hashed);
    if (kind === ENTRY_KIND.allowed || kind === ENTRY_KIND.relay || kind === ENTRY_KIND.typo) {
      sets.exceptions.push(hashed);
    }
  });
  return sets;
}
