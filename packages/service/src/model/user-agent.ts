// Reads a user agent by its product tokens (RFC 9110 §10.1.5). `Mozilla` proves nothing, because crawlers, PowerShell
// and Apps Script send it as well. One pass without a regular expression: the time grows linearly with the header.
import { readWords } from '../lists/read-list.ts';

export const BROWSER_PRODUCTS = readWords('user-agents/browsers.txt');
export const HTTP_LIBRARY_PRODUCTS = readWords('user-agents/http-libraries.txt');
const AUTOMATION_PRODUCTS = readWords('user-agents/automation.txt');
/** Names that Internet Explorer puts inside its comment. */
const BROWSER_COMMENT_NAMES = ['MSIE', 'Trident'];

const BROWSERS = lowerCaseSet(BROWSER_PRODUCTS);
const COMMENT_BROWSERS = lowerCaseSet(BROWSER_COMMENT_NAMES);
const LIBRARIES = lowerCaseSet(HTTP_LIBRARY_PRODUCTS);
const AUTOMATION = new Map<string, string>(AUTOMATION_PRODUCTS.map((name) => [name.toLowerCase(), name]));
/** The products next to WebKit in a bare web view. */
const WEB_VIEW_PRODUCTS = lowerCaseSet(['Mozilla', 'AppleWebKit', 'Version', 'Mobile', 'Safari']);

/** Whether the user agent says that a page in a browser made the request. */
export function isBrowserUserAgent(userAgent: string): boolean {
  let named = false;
  let library = false;
  let compatible = false;
  let foreign = false;
  const seen = { applewebkit: false, safari: false, version: false, mobile: false };
  eachName(userAgent, (name, inComment, versioned) => {
    if (inComment) {
      if (COMMENT_BROWSERS.has(name)) named = true;
      else if (name === 'compatible') compatible = true;
      // .NET's SOAP client calls itself `MSIE 6.0; MS Web Services Client Protocol 4.0`.
      else if (name === 'protocol') library = true;
    } else if (versioned) {
      if (BROWSERS.has(name)) named = true;
      else if (LIBRARIES.has(name)) library = true;
      else if (!WEB_VIEW_PRODUCTS.has(name)) foreign = true;
      if (name in seen) seen[name as keyof typeof seen] = true;
    }
    return library;
  });
  if (library) return false;
  if (named) return true;
  // macOS sends `Safari/… CFNetwork/…` when it fetches an icon. The browser also names its engine or its version.
  if (seen.safari) return seen.applewebkit || seen.version;
  // An app's web view stops after the engine or after `Mobile/…`; crawlers that borrow the engine's name
  // call themselves compatible, other programs add a product of their own.
  return seen.applewebkit && !compatible && (seen.mobile || !foreign);
}

/** How crawlers that use a browser name themselves. `+http…` is the link to their operator. */
const CRAWLER_NAME_ENDINGS = ['bot', 'spider', 'crawler'] as const;
const OPERATOR_ADDRESS = '+http';

/**
 * Which headless or scripted browser this is, as the list spells it, or `crawler` for a browser that calls
 * itself one; `undefined` for all others. A library is not a browser: a backend may only send its own user agent.
 */
export function automationOf(userAgent: string): string | undefined {
  let tool: string | undefined;
  let crawler = userAgent.includes(OPERATOR_ADDRESS);
  eachName(userAgent, (name, inComment, versioned) => {
    // A bare word inside a comment can be the model of a phone.
    if (inComment && !versioned) return false;
    tool = AUTOMATION.get(name);
    crawler ||= CRAWLER_NAME_ENDINGS.some((ending) => name.endsWith(ending));
    return tool !== undefined;
  });
  return tool ?? (crawler && isBrowserUserAgent(userAgent) ? 'crawler' : undefined);
}

const SPACE = 0x20;
const OPENING = 0x28;
const CLOSING = 0x29;
const SLASH = 0x2f;

/** Calls `visit` with each name, in lower case and without its version, until it returns true. */
function eachName(
  userAgent: string,
  visit: (name: string, inComment: boolean, versioned: boolean) => boolean,
): void {
  const text = userAgent.toLowerCase();
  let depth = 0;
  let start = -1;
  let inVersion = false;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : SPACE;
    if (isNameCharacter(code)) {
      if (start < 0 && !inVersion) start = at;
      continue;
    }
    if (start >= 0) {
      if (visit(text.slice(start, at), depth > 0, code === SLASH)) return;
      start = -1;
    }
    inVersion = code === SLASH;
    if (code === OPENING) depth++;
    else if (code === CLOSING && depth > 0) depth--;
  }
}

/** Letters, digits, `-`, `.` and `_`: what the products above are made of. */
function isNameCharacter(code: number): boolean {
  const letterOrDigit = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return letterOrDigit || code === 0x2d || code === 0x2e || code === 0x5f;
}

function lowerCaseSet(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}
