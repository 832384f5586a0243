import { scriptTag } from '@postern/contract/sdk-files';
import type { PlanFacts, Project } from './project.ts';

const PAGES = ['index.html', 'sign-up.html', 'signup.html', 'register.html'];
const FOLDERS = ['', 'public/', 'static/', 'views/', 'src/'];

/** The first page with an email field gets the script tag, before the end of its body. */
export function addScriptTag(
  project: Project,
  { url, files, projectId, clientKey }: PlanFacts,
): (readonly [string, string])[] {
  const paths = FOLDERS.flatMap((folder) => PAGES.map((page) => `${folder}${page}`));
  const path = paths.find((one) => /<form[\s\S]*type=["']?email/i.test(project.read(one) ?? ''));
  if (path === undefined) return [];
  const text = project.read(path) ?? '';
  if (text.includes('/sdk/postern')) return [[path, text]];
  const id = /<form[^>]*\bid=["']([\w-]+)["']/i.exec(text)?.[1];
  const tag = scriptTag(
    url,
    { version: '', files },
    {
      project: projectId,
      key: clientKey === '' ? 'YOUR_CLIENT_KEY' : clientKey,
      form: id === undefined ? 'form:has(input[type=email])' : `#${id}`,
    },
  );
  const end = text.search(/<\/body>/i);
  return [[path, end === -1 ? `${text}${tag}\n` : `${text.slice(0, end)}  ${tag}\n${text.slice(end)}`]];
}
