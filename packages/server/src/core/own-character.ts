import type { Viewer } from "./actor.ts";
import type { TopicGrant } from "./ports/index.ts";

/** Of a topic `.../:character`: everything of the own character, and nothing of others. */
export async function authorizeOwnCharacter({ characterId }: Viewer, key: string | null): Promise<TopicGrant | null> {
  return key === String(characterId) ? { class: "", view: (data) => data } : null;
}
