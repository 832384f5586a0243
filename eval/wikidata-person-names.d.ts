/** Only `npm run eval` installs the package; the types must also be checked without it. */
declare module 'wikidata-person-names' {
  export const FAMILY: readonly string[];
  export const FEMALE: readonly string[];
  export const MALE: readonly string[];
  export const UNISEX: readonly string[];
}
