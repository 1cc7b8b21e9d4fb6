console.error(
  `"npm run ${process.argv[2]}" belongs to the workbench, which is not built yet. Use the command line: npm run -s cli -- info FILE`,
);
process.exitCode = 2;
