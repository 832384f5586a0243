// Loaded into the service and into the tests’ process. At its usual cost each hash of a password takes 150 ms of CPU,
// and the tests need hundreds. One test of the first account uses the usual cost.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;
crypto.scrypt = (password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, N: 16 }, done);
syncBuiltinESMExports();
