/**
 * `npm run bench -- --attack --minutes 10`: seven attacks at once beside honest requests at 100 a second, on each store.
 * Reports how long the honest ones waited, whether an answer was wrong, and the service’s memory, descriptors and CPU.
 * The limits that must hold are at the end; the exit status says whether they did. Linux only.
 *
 * The service has one core. Everything else has the other: the honest client, its DNS server, PostgreSQL, and the
 * attackers with the lowest priority, because their own work must not pass for harm that they do to the service.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type DashboardClient, member } from '../packages/service/test/support/dashboard.ts';
import { ordinaryMail } from '../packages/service/test/support/dns-server.ts';
import { KNOWN_MAIL, type TestProject, type TestService } from '../packages/service/test/support/service.ts';
import { BACK_ENDS, startServiceOn } from '../packages/service/test/support/service-on.ts';
import { cpuMsOf, memoryMegabytes } from './cpu-time.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    store: { type: 'string' },
    /** One attack alone, by its name in attackers.mjs. */
    only: { type: 'string' },
    baseline: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.minutes) * 60;
const PER_SECOND = 100;
const MOST_P99_MS = 100;
/** Of the last quarter over the second one: the first quarter fills the caches, so shorter runs say nothing. */
const MOST_GROWTH = 1.15;
const GROWTH_FROM_MINUTES = 5;

interface Look {
  readonly megabytes: number;
  readonly descriptors: number;
  /** Descriptors that are not connections with a client at the other end. Clients open more or fewer as they like. */
  readonly 'own descriptors': number;
}

/** How many connections to a port are open at both ends, by the kernel’s table, in which state 01 says that. */
function establishedAt(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n'))
    .map((line) => line.trim().split(/ +/))
    .filter(([, address, , state]) => address?.endsWith(local) && state === '01').length;
}

const pin = (pid: number, core: string) => execFileSync('taskset', ['-acp', core, String(pid)]);

/** How long a process’s first thread, where Node’s event loop is, has run and has waited for a core, in milliseconds. */
function eventLoopThread(pid: number): { readonly ran: number; readonly waited: number } {
  const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { ran: (ran ?? 0) / 1e6, waited: (waited ?? 0) / 1e6 };
}

interface Honest {
  readonly times: number[];
  readonly refused: Map<string, number>;
  readonly wrong: string[];
}

const letters = (person: number) =>
  String(person).replace(/[0-9]/g, (digit) => 'eaionrtslu'[Number(digit)] ?? '');

/** What honest people ask in turns, and the only right answer to each. */
const HONEST = [
  (person: number) => ({ email: `maria.${letters(person + 10_000)}@gmail.com`, right: 'allow' }),
  (person: number) => ({ email: `maria.${letters(person + 10_000)}@mailinator.com`, right: 'block' }),
  (person: number) => ({ email: `maria@missing-${person}.com`, right: 'block' }),
] as const;

async function sendHonest(project: TestProject): Promise<Honest> {
  const honest: Honest = { times: [], refused: new Map(), wrong: [] };
  const underWay = new Set<Promise<void>>();
  const began = performance.now();
  const send = async (person: number) => {
    const due = began + (person / PER_SECOND) * 1_000;
    const { email, right } = (HONEST[person % HONEST.length] ?? HONEST[0])(person);
    const answer = await project.validate({ email }).catch((error: Error) => error);
    if (answer instanceof Error || answer.status !== 200) {
      const what = answer instanceof Error ? answer.message : String(answer.status);
      honest.refused.set(what, (honest.refused.get(what) ?? 0) + 1);
      return;
    }
    honest.times.push(performance.now() - due);
    if (answer.json.recommendation !== right)
      honest.wrong.push(`${email}: ${answer.json.recommendation} ${answer.json.signals.join(' ')}`);
  };
  for (let person = 0; person < seconds * PER_SECOND; ) {
    const made = ((performance.now() - began) / 1_000) * PER_SECOND;
    for (; person < Math.min(made, seconds * PER_SECOND); person += 1) {
      const sent = send(person);
      underWay.add(sent);
      void sent.finally(() => underWay.delete(sent));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(underWay);
  return honest;
}

/** Looks once a second until `end` is called. */
function watch(service: TestService): { readonly end: () => Look[] } {
  const looks: Look[] = [];
  const pid = service.process.pid ?? 0;
  const cpu = [pid, process.pid].map((each) => ({ each, all: cpuMsOf(each), loop: eventLoopThread(each) }));
  const timer = setInterval(() => {
    const descriptors = readdirSync(`/proc/${pid}/fd`).length;
    looks.push({
      megabytes: memoryMegabytes(pid),
      descriptors,
      'own descriptors': descriptors - establishedAt(service.port),
    });
  }, 1_000);
  return {
    end: () => {
      clearInterval(timer);
      for (const { each, all, loop } of cpu) {
        const now = eventLoopThread(each);
        const share = (ms: number) => `${(ms / seconds / 10).toFixed(0)}%`;
        console.log(
          `${each === pid ? 'service' : 'honest client'}: ${share(cpuMsOf(each) - all)} of a core, event loop ${share(now.ran - loop.ran)}; ` +
            `it waited for a core ${share(now.waited - loop.waited)} of the time`,
        );
      }
      return looks;
    },
  };
}

async function attack(
  service: TestService,
  project: TestProject,
  admin: DashboardClient,
): Promise<Record<string, unknown>> {
  const script = fileURLToPath(new URL('./attackers.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.stdin.end(
    JSON.stringify({
      port: service.port,
      seconds,
      only: values.only,
      projectId: project.id,
      clientKey: project.clientKey,
      origin: 'https://app.example',
      cookie: admin.cookie(),
      streamPath: `/dashboard/api/v1/projects/${project.id}/validations/live`,
    }),
  );
  const printed = await text(child.stdout);
  process.off('exit', kill);
  return JSON.parse(printed) as Record<string, unknown>;
}

const middle = (numbers: readonly number[]) =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
const quarter = (looks: readonly Look[], which: number, of: keyof Look) =>
  middle(
    looks
      .slice(Math.floor((looks.length * which) / 4), Math.floor((looks.length * (which + 1)) / 4))
      .map((look) => look[of]),
  );

/** Prints the figures and returns what should not be. */
function report(honest: Honest, looks: readonly Look[]): string[] {
  const times = [...honest.times].sort((one, other) => one - other);
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
  const refused = [...honest.refused].map(([what, times]) => `${times} × ${what}`).join(', ') || 'none';
  console.log(`honest: ${times.length} answered, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
  console.log(`honest, not answered: ${refused}`);
  console.log(`wrong answers: ${honest.wrong.length}`, honest.wrong.slice(0, 5).join('; '));
  const faults: string[] = [];
  for (const of of ['megabytes', 'descriptors', 'own descriptors'] as const) {
    const second = quarter(looks, 1, of);
    const last = quarter(looks, 3, of);
    const most = Math.max(...looks.map((look) => look[of]));
    console.log(
      `${of}: second quarter ${second.toFixed(0)}, last ${last.toFixed(0)}, most ${most.toFixed(0)}`,
    );
    if (of === 'descriptors') continue;
    if (last > second * MOST_GROWTH && Number(values.minutes) >= GROWTH_FROM_MINUTES)
      faults.push(`${of} grow`);
  }
  if (Number(at(0.99)) >= MOST_P99_MS) faults.push(`p99 is ${at(0.99)} ms`);
  if (honest.wrong.length > 0) faults.push('wrong answers');
  if (honest.refused.size > 0) faults.push('honest people were not answered');
  return faults;
}

pin(process.pid, '1');
for (const backEnd of BACK_ENDS) {
  if (values.store !== undefined && values.store !== backEnd) continue;
  console.log(`\n${backEnd}, ${values.minutes} minutes`);
  const zone = { ...KNOWN_MAIL, ...ordinaryMail('mailinator.com') };
  const service = await startServiceOn(backEnd, { zone, descriptors: 20_000 });
  pin(service.process.pid ?? 0, '0');
  const limits = { quotaLimit: 100_000_000, rateServer: 100_000_000, rateClient: 100_000_000 };
  const shop = await service.makeProject(limits);
  const attacked = await service.makeProject(limits);
  // The first requests compile and load; they are not timed.
  for (const ask of HONEST) await shop.validate({ email: ask(0).email });
  const admin = await member(service, 'admin');
  const watching = watch(service);
  const attacking = values.baseline ? Promise.resolve({}) : attack(service, attacked, admin);
  const [honest, answered] = await Promise.all([sendHonest(shop), attacking]);
  console.log('attacks:', JSON.stringify(answered));
  const faults = report(honest, watching.end());
  await service.close();
  console.log(faults.length === 0 ? 'held' : `DID NOT HOLD: ${faults.join(', ')}`);
  if (faults.length > 0) process.exitCode = 1;
}
process.exit();
