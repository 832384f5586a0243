const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** Unknown codes, such as XX, are shown unchanged. */
export function countryName(code: string): string {
  try {
    return countryNames.of(code) ?? code;
  } catch {
    return code;
  }
}
