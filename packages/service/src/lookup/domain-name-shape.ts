/**
 * Words that a throwaway service puts into its own name and an ordinary company does not. Each is long
 * enough to stand for itself anywhere in a name; plain alternation, so that it cannot backtrack.
 */
const THROWAWAY_WORDS =
  /temp-?e?-?mail|tmp-?e?-?mail|e?-?mail-?temp(?!er|l|e[^r])|temporary-?e?-?mail|temporarymail|mail-?temporaire|correo-?temporal|e?mail-?temporario|emailtemporal|trash-?e?-?mail|trash-?inbox|mail-?trash|throw-?away-?e?-?mail|throwaway(?:mail|inbox)|disposable-?(?:e?-?mail|inbox)|mail-?disposable|burner-?e?-?mail|fake-?e?-?mail|e?mail-?fake|fake-?inbox|\d+-?min(?:ute)?s?-?e?-?mail|minute-?(?:e?-?mail|inbox)|guerr?illa-?mail|mailinator|yop-?mail|spam-?gourmet|jetable|wegwerf-?e?-?mail|einweg-?mail|discard-?e?-?mail|mail-?nesia|mail-?catch|getnada|temp-?inbox|inbox-?temp|anon-?e?mail-?box|sharklasers|spam-?(?:me|box|trap|avert|herelots|free24)|dispostable|burn-?this-?mail|kill-?mail|mail-?expire|gecici-?(?:e?-?)?mail|instant-?e?-?mail-?address|one-?time-?e?-?mail|temp-?box|nada-?mail/;

/** Whether a name alone says that its addresses are for throwing away. */
export function looksThrowaway(domain: string): boolean {
  return THROWAWAY_WORDS.test(domain);
}
