/** Letters that Unicode does not decompose into a base letter and a mark, as people spell them in addresses. */
const SPELT: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ə: 'e' },
};

type Names = Readonly<Record<'FAMILY' | 'FEMALE' | 'MALE' | 'UNISEX', readonly string[]>>;

/** Given and family names of many languages, as people spell them in an address: lower case, Latin, without marks. */
export async function peoplesNames(): Promise<readonly string[]> {
  // Only this command installs the package, so the compiler cannot look at it.
  const name: string = 'wikidata-person-names';
  const { FAMILY, FEMALE, MALE, UNISEX } = (await import(name)) as Names;
  const names = [...FAMILY, ...FEMALE, ...MALE, ...UNISEX].map((name) =>
    name
      // Wikidata explains some names: `Ardis (given name)`.
      .replace(/\(.*\)/, '')
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z]/g, (sign) => SPELT[sign] ?? ''),
  );
  return [...new Set(names)].filter((name) => name.length >= 2);
}
