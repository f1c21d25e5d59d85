// Totals of a report, as a reader from npm has them:
//   node read_reports.js NODE_MODULES NAME FILE
const [modules, name, file] = process.argv.slice(2);

require(`${modules}/@cvrg-report/${name}-json`).parseFile(file).then((files) => {
  const sum = (kind, key) => files.reduce((n, it) => n + (it[kind] ? it[kind][key] : 0), 0);
  const kinds = ["lines", "functions", "branches"].filter((kind) => files[0][kind]);
  console.log(name, kinds.map((kind) => `${kind} ${sum(kind, "hit")} of ${sum(kind, "found")}`).join(", "));
});
