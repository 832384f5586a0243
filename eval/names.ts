/** Letters that Unicode does not decompose into a base letter and a mark, as people spell them in addresses. */
const SPELT: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ə: 'e',
};

/** Given and family names of many languages, as people spell them in an address: lower case, Latin, without marks. */
export async function peoplesNames(): Promise<readonly string[]> {
  const { FAMILY, FEMALE, MALE, UNISEX } = await import('wikidata-person-names');
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
