// npm 9 (Debian's) drops the link of the pinned Node when it skips the packages of the other platforms,
// because they all link a command of that name. Newer npm keeps it, and this does nothing.
import { existsSync, symlinkSync } from 'node:fs';

const target = `node-${process.platform}-${process.arch}/bin/node`;
const link = 'node_modules/.bin/node';
if (existsSync(`node_modules/${target}`) && !existsSync(link)) symlinkSync(`../${target}`, link);
