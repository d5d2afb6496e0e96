import { defineCommand } from "citty";
import type { Tx } from "#core/ports/index.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { openBroker } from "#infra/broker/index.ts";
import { Namespace } from "#infra/broker/namespace.ts";
import { systemClock } from "#infra/clock.ts";
import {
  countedZone,
  ensureInstallation,
  assignInstallationId,
  holdersOf,
  namedLocations,
  namespaceOf,
  oldStreams,
  locationOf,
  replaceClaim,
  saveZone,
  withSurvey,
} from "#infra/installation/index.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import type { CommandApp } from "#app/command-app.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

const idOf = async ({ db, ids, features }: CommandApp) =>
  await ensureInstallation({ db, ids, clock: systemClock, reactions: features.reactions });

const sharedParts = ({ config: { nats, database } }: CommandApp) => ({ ...nats, dsn: database.dsn, clock: systemClock });

async function noted(app: CommandApp, name: string, action: string, info: object, work?: (tx: Tx) => Promise<void>) {
  const { db, features, actor } = app;
  await db.write(name, async (tx) => {
    await work?.(tx);
    await features.api(auditApi).record(tx, actor, { action, info });
  });
}

/** Gives the database a new id and writes it to the audit log. */
export async function renewInstallation(app: CommandApp): Promise<string> {
  const before = await idOf(app);
  const id = app.ids.next();
  const { reactions } = app.features;
  await noted(app, "cli.newInstallation", "system.newInstallationId", { before, id }, async (tx) => {
    await assignInstallationId(tx, { id, at: systemClock.now(), reactions });
  });
  return id;
}

function onlyShared({ config }: CommandApp): void {
  if (config.nats.url.kind === "embedded")
    throw new CommandError("nats.url is embedded, so no other installation uses this broker and there is nothing to do");
}

const show = strict({
  meta: { name: "show", description: "Print the ID of this installation, and which database uses it on the broker" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async (app) => {
      const id = await idOf(app);
      write(`id        ${id}`);
      write(`database  ${namedLocations([locationOf(app.config.database.dsn)])}`);
      const holders = await withSurvey(sharedParts(app), async (survey) => await holdersOf(survey, id));
      if (holders === null) write("broker    embedded, nobody else's");
      else write(`broker    ${holders.length === 0 ? "nobody holds this id yet" : `held by ${namedLocations(holders)}`}`);
    });
  },
});

const newId = strict({
  meta: { name: "new-id", description: "Give this database its own ID, if it is a copy of another one" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async (app) => {
      write(`This installation is ${await renewInstallation(app)} from now on.`);
    });
  },
});

const claim = strict({
  meta: { name: "claim", description: "Claim this installation's ID on the broker, after its database was moved" },
  args: {
    also: { type: "boolean", description: "Share it with the current holder: the same database under another address" },
    ...configArg,
  },
  async run({ args }) {
    const also = args.also === true;
    await withApp(args.config, async (app) => {
      onlyShared(app);
      const id = await idOf(app);
      const own = locationOf(app.config.database.dsn);
      const { url, replicas } = app.config.nats;
      const namespace = new Namespace(namespaceOf(id));
      const broker = await openBroker({ url, replicas, namespace, log: app.log, clock: systemClock });
      try {
        const before = namedLocations(await replaceClaim(broker, own, { also }));
        await noted(app, "cli.claimInstallation", "system.claimInstallation", { id, before, also });
        const now = also && before !== "" ? `${namedLocations([own])}, beside ${before}` : namedLocations([own]);
        write(`The id ${id} belongs to ${now}.`);
        if (!also && before !== "" && before !== namedLocations([own]))
          write(`It belonged to ${before}: stop every process that still runs there.`);
      } finally {
        await broker.close();
      }
    });
  },
});

const zone = strict({
  meta: { name: "zone", description: "Count days in the time zone of database.dsn from now on, after a change that is meant" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async (app) => {
      const { zone: wanted } = app.config.database.dsn;
      const before = await app.db.read("cli.countedZone", countedZone);
      if (before === wanted) return write(`Days are counted in ${wanted} already.`);
      const work = async (tx: Tx) => await saveZone(tx, wanted);
      await noted(app, "cli.changeZone", "system.changeZone", { before, zone: wanted }, work);
      write(`Days are counted in ${wanted} from now on. What was counted before stays on its days.`);
    });
  },
});

const deleteOldStreams = strict({
  meta: { name: "delete-old-streams", description: "Delete the streams that rollcall doctor names as old" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async (app) => {
      onlyShared(app);
      await withSurvey(sharedParts(app), async (survey) => {
        const streams = await oldStreams(survey);
        for (const stream of streams) {
          if (await survey.isRead(stream))
            throw new CommandError(
              `a process still reads ${stream}; stop every Rollcall of an earlier version on this broker first`,
            );
        }
        for (const stream of streams) {
          await survey.remove(stream);
          write(`deleted  ${stream}`);
        }
        if (streams.length > 0) await noted(app, "cli.oldStreams", "system.deleteOldStreams", { streams });
        else write("There are no old streams.");
      });
    });
  },
});

export const command = defineCommand({
  meta: {
    name: "installation",
    description: "Manage the ID under which this database uses a shared broker, and the time zone of its days",
  },
  subCommands: { show, "new-id": newId, claim, zone, "delete-old-streams": deleteOldStreams },
});
