import type { VersionedOperation } from "#testkit/versions.ts";
import { displayPreference, putPreference } from "./preferences.contract.ts";

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putPreference,
    async prepare({ app, world }) {
      const { cookie } = await world.actor();
      const params = { name: displayPreference.id };
      const made = await app.call(putPreference, { params, body: { value: {} } }, { cookie });
      const change = (turn: string) => ({ params, body: { value: { scheme: turn === "left" ? "light" : "dark" } } });
      return { as: { cookie }, version: made.output.version, change };
    },
  },
];
