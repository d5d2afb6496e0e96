import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import { createNotice, putNotice } from "./notices.contract.ts";

const content = { title: "Before", text: "", expiresAt: null, access: { public: true, entries: [] } };

/** A notice for everybody, its content as it was sent, and its writer. */
export async function createPublicNotice({ app, world }: AppUnderTest) {
  const { token } = await world.actor({ rights: { "notices.create": { fields: ["public"] } } });
  const { output } = await app.call(createNotice, { body: content }, { token });
  return { writer: { token }, notice: output, content };
}

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putNotice,
    async prepare(under) {
      const { writer, notice } = await createPublicNotice(under);
      const change = (turn: string) => ({ params: { id: notice.id }, body: { ...content, title: turn } });
      return { as: writer, version: notice.version, change };
    },
  },
];
