// node-postgres asks the archive. usage: NODE_PATH=.../node_modules node drivers.cjs PORT
const assert = require('node:assert');
const { Client, Pool, Query } = require('pg');

const check = (name, found, wanted) => {
  assert.deepStrictEqual(found, wanted, name);
  console.log(`  ${name}`);
};
const place = { host: '127.0.0.1', port: Number(process.argv[2]), user: 'demo', database: 'catwalk', ssl: false };

(async () => {
  const client = new Client(place);
  await client.connect();
  const { rows: [one] } = await client.query('SELECT $1::bigint + 1 AS a, $2::text AS b, $3::boolean AS c, NULL AS d', [41, "it's", true]);
  check('values are bound', one, { a: '42', b: "it's", c: true, d: null });
  for (let time = 0; time < 2; time += 1) {
    const named = await client.query({ name: 'of-table', text: 'SELECT count(*) AS n FROM rounds WHERE table_id = $1', values: ['nowhere'] });
    if (time === 1) check('a statement is prepared once', named.rows[0].n, '0');
  }
  const { rows: [round], fields } = await client.query('SELECT gaming_day, opened_at, staked_cents, voided, violations FROM rounds LIMIT 1');
  check('types', fields.map((field) => field.dataTypeID), [1082, 1184, 20, 16, 1009]);
  assert.ok(round.opened_at instanceof Date && Array.isArray(round.violations) && typeof round.voided === 'boolean', JSON.stringify(round));
  await assert.rejects(client.query('DELETE FROM rounds'), { code: '25006' });
  console.log('  nothing is deleted');
  await client.query("SET statement_timeout = '1s'");
  await assert.rejects(client.query('SELECT count(*) FROM events a, events b, events c WHERE a.seq + b.seq + c.seq = -1'), { code: '57014' });
  check('it goes on after a timeout', (await client.query('SELECT 1 AS a')).rows, [{ a: 1 }].map((row) => ({ a: String(row.a) })));
  await client.end();
  const pool = new Pool({ ...place, max: 5 });
  const many = await Promise.all(Array.from({ length: 20 }, (_, at) => pool.query('SELECT $1::bigint AS a', [at])));
  check('a pool', many.map((answer) => Number(answer.rows[0].a)), Array.from({ length: 20 }, (_, at) => at));
  await pool.end();
})().catch((error) => { console.error(error); process.exit(1); });
