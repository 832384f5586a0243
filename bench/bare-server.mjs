/** The lower bound: node:http that only parses a JSON body and answers JSON of the same size with as many headers. */
import { createServer } from 'node:http';

const [, , sampleBody = '{}', sampleHeaders = '{}'] = process.argv;
const answer = JSON.parse(sampleBody);
const headers = JSON.parse(sampleHeaders);

const server = createServer((request, response) => {
  if (request.url === '/cpu') {
    const { user, system } = process.cpuUsage();
    response.end(String((user + system) / 1e6));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { email } = JSON.parse(Buffer.concat(chunks).toString());
    answer.message = email === undefined ? 'x' : null;
    const body = JSON.stringify(answer);
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
