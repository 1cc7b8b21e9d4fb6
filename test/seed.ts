/** In CI properties run on the same inputs every time: a red run there is about the change, not about the dice. */
import fc from 'fast-check';

if (process.env.CI !== undefined) fc.configureGlobal({ seed: 20261130 });
