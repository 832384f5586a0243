/**
 * Runs the `postern` command with the settings and the user of the systemd unit. Without them the command would use
 * another store than the service: an empty one, which it creates in the present folder.
 *
 * POSTERNCTL_UNIT names another unit, or the path of a unit file.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const unit = process.env.POSTERNCTL_UNIT ?? 'postern';
const POSTERN = fileURLToPath(new URL('./postern.mjs', import.meta.url));

try {
  const { environment, user } = readUnit(unitText(unit));
  const ids = user === undefined ? {} : idsOf(user);
  const { status, signal, error } = spawnSync(process.execPath, [POSTERN, ...process.argv.slice(2)], {
    env: { PATH: process.env.PATH, TERM: process.env.TERM, ...environment },
    stdio: 'inherit',
    ...ids,
  });
  if (error !== undefined) throw error;
  process.exitCode = signal === null ? (status ?? 1) : 1;
} catch (error) {
  process.stderr.write(`posternctl: ${error.message}\n`);
  process.exitCode = 1;
}

/** The unit with its drop-ins, as systemd reads them. */
function unitText(name) {
  if (name.includes('/')) return readFileSync(name, 'utf8');
  try {
    return execFileSync('systemctl', ['cat', `${name}.service`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    throw new Error(`there is no unit ${name}.service here; set POSTERNCTL_UNIT to its name or its file`);
  }
}

/** The settings of `Environment=` and `EnvironmentFile=`, in systemd’s order: files win, and later ones win. */
function readUnit(text) {
  const own = {};
  const files = [];
  let user;
  for (const line of text.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    const [, name, value = ''] = /^\s*(User|Environment|EnvironmentFile)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === 'User') user = value === '' ? undefined : value;
    else if (name === 'Environment') Object.assign(own, assignments(value));
    // An empty value forgets the earlier ones.
    else if (name === 'EnvironmentFile' && value === '') files.length = 0;
    else if (name === 'EnvironmentFile') files.push(value);
  }
  const environment = { ...own };
  for (const file of files) Object.assign(environment, readEnvironmentFile(file));
  return { environment, user };
}

/** `A=1 "B=two words"`; see systemd.exec(5). */
function assignments(text) {
  const words = text.match(/"(?:\\.|[^"\\])*"|'[^']*'|[^\s"']+(?:"(?:\\.|[^"\\])*"|'[^']*')?/g) ?? [];
  return Object.fromEntries(words.map((word) => split(unquoted(word))));
}

function readEnvironmentFile(setting) {
  const optional = setting.startsWith('-');
  const file = optional ? setting.slice(1) : setting;
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (optional && error.code === 'ENOENT') return {};
    if (error.code === 'EACCES')
      throw new Error(`${file} has the service’s settings and only root may read it; use sudo posternctl`);
    throw new Error(`${file} cannot be read (${error.code})`);
  }
  const lines = text
    .replaceAll(/\\\n/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#;]/.test(line) && line.includes('='));
  return Object.fromEntries(
    lines.map((line) => {
      const [name, value] = split(line);
      return [name.trim(), unquoted(value.trim())];
    }),
  );
}

function split(assignment) {
  const at = assignment.indexOf('=');
  return [assignment.slice(0, at), assignment.slice(at + 1)];
}

function unquoted(text) {
  if (/^".*"$/s.test(text)) return text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  if (/^'.*'$/s.test(text)) return text.slice(1, -1);
  return text;
}

/** Only root can run the command as the service’s user. The user itself needs no change. */
function idsOf(user) {
  const id = (flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  const [uid, gid] = [id('-u'), id('-g')];
  if (process.getuid() === uid) return {};
  if (process.getuid() !== 0) throw new Error(`run it as root or as ${user}: sudo posternctl …`);
  return { uid, gid };
}
