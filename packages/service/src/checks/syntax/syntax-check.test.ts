import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { inputFor } from '../../../test/support/check-input.ts';
import { domainToAscii } from '../../model/idna.ts';
import { parseEmailAddress } from '../../model/parse-email-address.ts';
import type { Finding } from '../check.ts';
import { syntaxCheck } from './syntax-check.ts';

function inspect(text: string): Finding {
  return syntaxCheck.inspect(inputFor(text)) as Finding;
}

function fails(why: RegExp, addresses: readonly string[]) {
  for (const address of addresses) {
    const finding = inspect(address);
    expect(finding.result, address).toBe('failed');
    expect(finding.result === 'failed' ? finding.error : '', address).toMatch(why);
  }
}

function passes(addresses: readonly string[]) {
  for (const address of addresses) expect(inspect(address), address).toMatchObject({ result: 'passed' });
}

it('knows every top-level name of the root zone, as the resolver spells it', () => {
  const names: readonly string[] = createRequire(import.meta.url)('tlds');
  expect(names.length).toBeGreaterThan(1_400);
  const ordinary = names.filter((name) => name !== 'arpa');
  passes(ordinary.map((name) => `jane.doe@mail.${domainToAscii(name)}`));
});

it('returns the normalised address and both forms of the domain, whether it passes or not', () => {
  const metadata = {
    normalized: 'jörg@xn--mnchen-3ya.de',
    asciiDomain: 'xn--mnchen-3ya.de',
    unicodeDomain: 'münchen.de',
  };
  expect(inspect('JÖRG@München.DE')).toEqual({ result: 'passed', metadata });
  expect(inspect('A@B')).toEqual({
    result: 'failed',
    error: 'The domain has no dot',
    metadata: { normalized: 'a@b', asciiDomain: 'b', unicodeDomain: 'b' },
  });
});

it('passes what people sign up with', () => {
  passes([
    'jane.doe@gmail.com',
    'j@web.de',
    "o'brien@ucd.ie",
    'a+b/c=d@posteo.de',
    'user@mail.co.uk',
    'x@3m.com',
    '用户@qq.cn',
  ]);
});

it('fails quoted local parts, address literals and names without a dot', () => {
  fails(/quoted/, ['"jane"@posteo.de', '"a b"@posteo.de', '""@posteo.de']);
  fails(/IP address/, ['jane@[192.0.2.1]', 'jane@[IPv6:2001:db8::1]']);
  fails(/no dot/, ['jane@localhost', 'jane@com', 'jane@xn--p1ai']);
});

it('fails top-level domains that do not exist, and accepts internationalised ones', () => {
  fails(/top-level/, ['a@b.con', 'a@b.comm', 'a@b.c', 'a@192.0.2.1', 'a@b.123', 'a@mail.corp', 'a@b.пример']);
  passes([
    'a@b.com',
    'a@b.museum',
    'a@почта.рф',
    'a@b.xn--p1ai',
    'a@例子.中国',
    'a@b.xn--vermgensberatung-pwb',
  ]);
});

it('fails reserved names and everything below them, but not names that only have the same ending', () => {
  fails(/reserved/, [
    'a@b.test',
    'a@b.example',
    'a@b.invalid',
    'a@b.localhost',
    'a@printer.local',
    'a@b.onion',
    'a@b.internal',
    'a@b.alt',
    'a@home.arpa',
    'a@router.home.arpa',
    'a@10.in-addr.arpa',
  ]);
  passes([
    'a@example.com',
    'a@mail.example.net',
    'a@EXAMPLE.org',
    'a@myexample.com',
    'a@example.de',
    'a@example.com.de',
    'a@test.de',
    'a@localhost.de',
    'a@local.ch',
  ]);
});

describe('look-alike domains', () => {
  it('fails labels that mix scripts no language mixes', () => {
    // Cyrillic о, а, ӏ; Greek ο; Armenian օ, each among Latin letters.
    fails(/look like/, ['a@gооgle.com', 'a@pаypal.com', 'a@paypaӏ.com', 'a@gοogle.com', 'a@gօogle.com']);
    fails(/look like/, ['a@mail.gооgle.com', 'a@xn--ggle-55da.com', 'a@αбв.com']);
  });

  it('fails labels of only look-alike letters under a domain in another script', () => {
    fails(/look like/, ['a@аррӏе.com', 'a@xn--80ak6aa92e.com', 'a@ѕсоре.net', 'a@ορκα.com']);
    passes(['a@хор.ru', 'a@хор.рф', 'a@оса.укр', 'a@ορκα.gr']);
  });

  it('fails phonetic letters, signs and strokes that imitate ASCII', () => {
    fails(/look like/, ['a@ɡoogle.com', 'a@payーpal.com', 'a@pay一pal.com', 'a@aノb.com']);
  });

  it('passes names in one script or in scripts that are written together', () => {
    passes([
      'a@bücher.de',
      'a@москва.com',
      'a@пример.рф',
      'a@παράδειγμα.gr',
      'a@مثال.com',
      'a@עברית.co.il',
      'a@नमस्ते.भारत',
      'a@例え.jp',
      'a@東京tower.jp',
      'a@ひらがなカタカナ漢字.jp',
      'a@한국abc.kr',
      'a@臺網中心.tw',
      'a@ไทย.com',
      'a@ჯორჯია.ge',
      'a@l·l.cat',
      'a@スーパー.jp',
      'a@việtnam.vn',
      'a@ısparta.com.tr',
    ]);
  });
});

describe('look-alike local parts', () => {
  it('fails a Latin word with letters borrowed from another script', () => {
    // Cyrillic а, о and е; Greek ο.
    fails(/before the @ mixes/, [
      'pаul@posteo.de',
      'jane.dое@posteo.de',
      'jοhn@posteo.de',
      'support1а-x.sаles@posteo.de',
    ]);
  });

  it('fails ASCII in disguise', () => {
    fails(/before the @ mixes/, ['ｊａｎｅ@posteo.de', '𝐣𝐚𝐧𝐞.doe@posteo.de', 'ⓙane@posteo.de']);
    passes(['山田１@posteo.de', 'ﾔﾏﾀﾞ@posteo.de']);
  });

  it('passes words of one script, and mixtures that anyone can see', () => {
    passes([
      'иван.petrov@posteo.de',
      'λambda@posteo.de',
      'jeff葉@posteo.de',
      'жx@posteo.de',
      'осо@posteo.de',
      'ñoñó@posteo.de',
    ]);
  });
});

describe('what providers issue', () => {
  it('limits Gmail to 6 to 30 letters and digits, ignoring dots and tags', () => {
    passes([
      'abcdef@gmail.com',
      'a.b.c.d.e.f@gmail.com',
      '123456@gmail.com',
      `${'a'.repeat(30)}@gmail.com`,
      `${'a.'.repeat(29)}a@gmail.com`,
      'jane.doe+any_thing-!@gmail.com',
      'Jane.Doe@GoogleMail.com',
    ]);
    fails(/Gmail/, [
      'abcde@gmail.com',
      'a.b.c.d.e@gmail.com',
      `${'a'.repeat(31)}@gmail.com`,
      'jane_doe@gmail.com',
      'jane-doe@gmail.com',
      'jäne.doe@gmail.com',
      '+tag@gmail.com',
      'jane+doe@gmail.com',
      "o'brian@gmail.com",
      'jane_doe@googlemail.com',
    ]);
  });

  it('limits the other large providers to their common alphabet', () => {
    passes([
      'a@outlook.com',
      '_x-y.z_@hotmail.co.uk',
      '79161234567@yandex.ru',
      'pastry-foxes.0x@icloud.com',
      'j-k@yahoo.com',
    ]);
    fails(/has no such address/, [
      "o'brien@hotmail.com",
      'a!b@live.nl',
      'a/b@yahoo.de',
      'é@icloud.com',
      '+x@me.com',
      'a=b@mail.ru',
    ]);
    fails(/^WEB.DE has no such address/, ['jörg@web.de']);
  });

  it('requires at least five digits and no leading zero in a QQ number', () => {
    passes(['10000@qq.com', '1234567890@qq.com', 'jane@qq.com', '0a@qq.com']);
    fails(/QQ/, ['9999@qq.com', '012345@qq.com']);
  });

  it('leaves every other domain alone', () => {
    passes(['a_b@gmail.de', 'a!b@posteo.de', 'abc@mail.gmail.com', '#@deutschebahn.com']);
  });
});

describe('on the labelled corpus', () => {
  interface Labelled {
    readonly address: string;
    readonly label: 'usable' | 'unusable' | 'invalid';
    readonly why: string;
  }
  const corpus: readonly Labelled[] = JSON.parse(
    readFileSync(new URL('../../../../../eval/syntax/corpus.json', import.meta.url), 'utf8'),
  );

  function label(text: string): Labelled['label'] {
    if (parseEmailAddress(text) === undefined) return 'invalid';
    return inspect(text).result === 'passed' ? 'usable' : 'unusable';
  }

  it.each(['usable', 'unusable', 'invalid'] as const)('gets every %s address right', (expected) => {
    const entries = corpus.filter((entry) => entry.label === expected);
    expect(entries.length).toBeGreaterThan(150);
    expect(entries.filter((entry) => label(entry.address) !== expected)).toEqual([]);
  });
});

describe('a domain in look-alike characters', () => {
  it.each([
    ['u@ｇmail.com', true],
    ['u@𝐠𝐦𝐚𝐢𝐥.com', true],
    ['u@gmail。com', true],
    ['u@GMAIL.com', false],
    ['u@Bücher.de', false],
    ['u@xn--bcher-kva.de', false],
    ['u@straße.de', false],
  ])('%s: %s', (typed, expected) => {
    expect(inspect(typed).signals).toEqual(expected ? ['lookalike_spelling'] : undefined);
  });
});
