/** Sends validations and prints how many answers had each status: load.mjs URL PROJECT KEY REQUESTS AT_ONCE */
import { Agent, request } from 'node:http';

const [url, project, key, requests, atOnce] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(atOnce) });
const statuses = new Map();
let sent = 0;

function validate(number) {
  return new Promise((resolve) => {
    const asked = request(
      `${url}/validate`,
      { agent, method: 'POST', headers: { authorization: `Bearer ${key}`, 'x-project-id': project } },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode));
      },
    );
    asked.once('error', ({ code }) => resolve(code));
    asked.end(
      JSON.stringify({ email: `person.${number}@gmail.com`, fingerprintHash: `device-${number % 50}` }),
    );
  });
}

await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    while (sent < Number(requests)) {
      sent += 1;
      const status = await validate(sent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }),
);
agent.destroy();
for (const [status, count] of statuses) process.stdout.write(`${status}: ${count}\n`);
