import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claimedAgents, readMessageSignature, type SignedRequest } from './message-signature.ts';

const request = (headers: Record<string, string>): SignedRequest => ({
  header: (name) => headers[name],
  target: '/v1/validate?a=b',
});

it('builds what RFC 9421 says is signed', () => {
  const parameters =
    '("@authority" "@method" "@path" "@query" "@target-uri" "x-a" "signature-agent";key="g");created=1;expires=2;keyid="k";tag="web-bot-auth"';
  const read = readMessageSignature(
    request({
      host: 'Postern.example',
      'x-a': ' b ',
      'signature-agent': 'other="https://a.example", g="https://b.example"',
      'signature-input': `first=("@method");tag="else", sig1=${parameters}`,
      signature: 'sig1=:AQID:, first=:BAUG:',
    }),
  );
  expect(read).toMatchObject({ keyId: 'k', created: 1, expires: 2, signature: Buffer.from([1, 2, 3]) });
  expect(typeof read === 'string' ? read : read.base.toString()).toBe(
    [
      '"@authority": postern.example',
      '"@method": POST',
      '"@path": /v1/validate',
      '"@query": ?a=b',
      '"@target-uri": https://postern.example/v1/validate?a=b',
      '"x-a": b',
      '"signature-agent";key="g": "https://b.example"',
      `"@signature-params": ${parameters}`,
    ].join('\n'),
  );
});

it('reads whatever strangers send', () => {
  const piece = fc.constantFrom(
    'sig1=',
    '("@authority"',
    ')',
    ';tag="web-bot-auth"',
    ':AA==:',
    ',',
    '"',
    ' ',
  );
  const header = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 500 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(header, header, header, (agent, input, signature) => {
      const hostile = request({ 'signature-agent': agent, 'signature-input': input, signature });
      claimedAgents(hostile);
      readMessageSignature(hostile);
    }),
  );
});
