import { auditApi } from "#features/audit/audit.api.ts";
import { auditMigrations } from "#app/migration-audit.ts";
import { command as strict, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

export const command = strict({
  meta: { name: "migrate", description: "Migrate the database to this version" },
  args: { status: { type: "boolean", description: "Only show what is pending" }, ...configArg },
  async run({ args }) {
    await withApp(
      args.config,
      async ({ migrator, db, features, actor }) => {
        if (args.status === true) {
          const { applied, pending } = await migrator.status();
          write(`${applied.length} applied, ${pending.length} pending`);
          pending.forEach((name) => write(`pending  ${name}`));
          return;
        }
        const done = await migrator.migrate();
        if (done.length > 0) await auditMigrations(db, features.api(auditApi), actor, done);
        done.forEach((name) => write(`applied  ${name}`));
        write(done.length === 0 ? "The database is up to date." : `${done.length} applied.`);
      },
      { schema: "any" },
    );
  },
});
