import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';

/**
 * How many connections may wait until they are accepted; the system may allow fewer (`net.core.somaxconn`). Node’s 511
 * overflowed in a burst of new connections, and clients then lost their requests or waited for seconds.
 */
const BACKLOG = 4_096;

/** Opens the port and returns the address. A failure says which setting to change. */
export async function listen(
  server: FastifyInstance,
  config: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  try {
    return await server.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const where = `${config.host}:${config.port}`;
    if (code === 'EADDRINUSE')
      throw new Error(
        `${where} is in use, perhaps by another Postern: stop it, or set POSTERN_PORT to another port`,
        { cause: error },
      );
    if (code === 'EACCES')
      throw new Error(
        `${where} needs more rights; set POSTERN_PORT above 1023 and put a proxy in front, or allow the port with: sysctl -w net.ipv4.ip_unprivileged_port_start=${config.port}`,
        { cause: error },
      );
    if (code === 'EADDRNOTAVAIL')
      throw new Error(`${config.host} is not an address of this machine; set POSTERN_HOST`, { cause: error });
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new Error(`${config.host} cannot be resolved; set POSTERN_HOST to an address of this machine`, {
        cause: error,
      });
    throw error;
  }
}
