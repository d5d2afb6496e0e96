import type { VersionedOperation } from "#testkit/versions.ts";
import { defaultSettings, getSettings, putSettings } from "./settings.contract.ts";

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putSettings,
    async prepare({ app, world }) {
      const { cookie } = await world.actor({ groups: ["admin"] });
      const { version } = (await app.call(getSettings, {}, { cookie })).output;
      const website = (turn: string) => ({ privacyPolicyUrl: "", imprintUrl: `https://${turn}${version}.example` });
      return {
        as: { cookie },
        version,
        change: (turn) => ({ body: { settings: { ...defaultSettings, website: website(turn) } } }),
      };
    },
  },
];
