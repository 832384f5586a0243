/** Sends requests as fast as they are answered, or at a rate, and prints what it saw as one JSON line. */
import autocannon from 'autocannon';

const { url, connections, seconds, headers, bodies, rate } = JSON.parse(process.argv[2] ?? '{}');
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  ...(rate === undefined ? {} : { overallRate: rate }),
  requests: bodies.map((body) => ({ method: 'POST', path: '/validate', headers, body })),
});
console.log(
  JSON.stringify({
    perSecond: result.requests.average,
    total: result['2xx'],
    failed: result.non2xx + result.errors + result.timeouts,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }),
);
