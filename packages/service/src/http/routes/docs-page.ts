import type { OpenApiDocument } from '@postern/contract/openapi';

type Node = Readonly<Record<string, unknown>>;

/**
 * The API reference as one page of HTML: no script, no request, readable offline and on paper. It is served at `/docs`
 * only if the docs site was not built.
 */
export function docsPage(document: OpenApiDocument): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API</title><style>${STYLE}</style></head>
<body><main>${referenceHtml(document)}</main></body></html>`;
}

/**
 * The OpenAPI document as HTML. That is enough for a few operations. To try requests, use the dashboard’s playground.
 */
export function referenceHtml(document: OpenApiDocument): string {
  const schemas = document.components.schemas ?? {};
  const paths = Object.entries(document.paths)
    .map(([path, item]) =>
      Object.entries(item)
        .map(([method, operation]) => operationHtml(path, method, operation as Node))
        .join(''),
    )
    .join('');
  const shapes = Object.entries(schemas)
    .map(([name, schema]) => `<section><h3 id="schema-${name}">${name}</h3>${schemaHtml(schema)}</section>`)
    .join('');
  const { title, version, description } = document.info;
  return `<h1 id="api-reference">${escapeHtml(title)} API <small>${escapeHtml(version)}</small></h1><p>${prose(description)}</p>
<p>As a document for machines: <a href="/openapi.json">/openapi.json</a></p>
<h2 id="operations">Operations</h2>${paths}<h2 id="shapes">Shapes</h2>${shapes}`;
}

function operationHtml(path: string, method: string, operation: Node): string {
  const responses = Object.entries((operation.responses ?? {}) as Record<string, Node>)
    .map(
      ([status, answer]) =>
        `<tr><th scope="row">${escapeHtml(status)}</th><td>${prose(answer.description)}${linkToSchema(answer)}${headerNames(answer)}</td></tr>`,
    )
    .join('');
  const id = `${method}${path.replace(/[^a-z0-9]+/gi, '-')}`;
  return `<section><h3 id="${id}"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3><p>${prose(operation.summary)}. ${prose(operation.description ?? '')}</p>
${linkToSchema((operation.requestBody ?? {}) as Node, 'Body: ')}<table><caption>Answers</caption><tbody>${responses}</tbody></table></section>`;
}

function headerNames(answer: Node): string {
  const names = Object.keys((answer.headers ?? {}) as Node);
  return names.length === 0
    ? ''
    : `<p class="faint">Headers: ${names.map((name) => `<code>${escapeHtml(name)}</code>`).join(' ')}</p>`;
}

function linkToSchema(holder: Node, label = ''): string {
  const content = Object.values((holder.content ?? {}) as Record<string, Node>)[0];
  const name = refName((content?.schema ?? {}) as Node);
  return name === undefined ? '' : `<p>${label}<a href="#schema-${name}">${name}</a></p>`;
}

function schemaHtml(schema: Node): string {
  const parts = [schema.description === undefined ? '' : `<p>${prose(schema.description)}</p>`];
  for (const part of (schema.allOf ?? []) as Node[]) {
    const name = refName(part);
    parts.push(name === undefined ? schemaHtml(part) : `<p>Is a <a href="#schema-${name}">${name}</a>.</p>`);
  }
  if (schema.properties !== undefined) parts.push(fieldsHtml(schema));
  if (schema.anyOf !== undefined) {
    const rows = (schema.anyOf as Node[]).map(
      (one) =>
        `<tr><th scope="row"><code>${escapeHtml(one.const ?? one.pattern)}</code></th><td>${prose(one.description)}</td></tr>`,
    );
    parts.push(`<table><tbody>${rows.join('')}</tbody></table>`);
  }
  return parts.join('');
}

function fieldsHtml(schema: Node): string {
  const required = (schema.required ?? []) as string[];
  const rows = Object.entries(schema.properties as Record<string, Node>).map(([name, field]) => {
    const nested = field.properties === undefined ? '' : fieldsHtml(field);
    return `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required.includes(name) ? '<br><small>always</small>' : ''}</th><td>${typeHtml(field)}</td><td>${prose(field.description ?? '')}${nested}</td></tr>`;
  });
  return `<table><tbody>${rows.join('')}</tbody></table>`;
}

function typeHtml(field: Node): string {
  const name = refName(field);
  if (name !== undefined) return `<a href="#schema-${name}">${name}</a>`;
  if (field.enum !== undefined)
    return (field.enum as unknown[]).map((value) => `<code>${escapeHtml(value)}</code>`).join(' ');
  if (field.const !== undefined) return `<code>${escapeHtml(field.const)}</code>`;
  return escapeHtml(Array.isArray(field.type) ? field.type.join(' or ') : (field.type ?? ''));
}

function refName(node: Node): string | undefined {
  return typeof node.$ref === 'string' ? node.$ref.split('/').at(-1) : undefined;
}

export function escapeHtml(value: unknown): string {
  return String(value).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text with `code` and paragraphs. */
function prose(value: unknown): string {
  return escapeHtml(value)
    .replace(/`([^`]*)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '<br>');
}

export const STYLE = `:root{color-scheme:light dark;--line:#8884;--faint:#666}@media(prefers-color-scheme:dark){:root{--faint:#aaa}}
body{background:Canvas;color:CanvasText;font:16px/1.55 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:2rem 1rem 6rem}
h1 small{font-weight:400;color:var(--faint);font-size:.5em}h2{margin-top:3rem}section{border-top:1px solid var(--line);padding-top:.5rem;margin-top:1.5rem}
code{font:.9em ui-monospace,monospace;background:#8881;padding:.1em .3em;border-radius:.3em}
table{border-collapse:collapse;width:100%;margin:.5rem 0}caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem .4rem 0;border-top:1px solid var(--line)}th{white-space:nowrap}
.faint,small{color:var(--faint)}code{overflow-wrap:anywhere}
@media(max-width:40rem){table,tbody,tr,th,td,caption{display:block}th,td{border-top:0;padding:.1rem 0;white-space:normal}tr{border-top:1px solid var(--line);padding:.4rem 0}td table{margin-left:.8rem}}`;
