import type { BrokerUrl, Dsn } from "#core/dsn.ts";
import type { BrokerFacts, Clock } from "#core/ports/index.ts";
import type { Survey } from "../broker/nats/survey.ts";
import {
  claimBucket,
  claimKey,
  type DatabaseLocation,
  holdersIn,
  isHolder,
  namedLocations,
  namespaceOf,
  locationOf,
} from "./claim.ts";

export interface SharedBrokerOptions {
  readonly url: BrokerUrl;
  readonly replicas: number;
  readonly dsn: Dsn;
  readonly clock: Clock;
}

const formerStream = "rollcall_EVENTS";

const bucketOf = (id: string) => `${namespaceOf(id).replaceAll(".", "_")}_${claimBucket}`;

/** Reads a shared broker over a separate connection; null for the embedded one. Throws `BrokerUnavailable`. */
export async function withSurvey<T>(options: SharedBrokerOptions, work: (survey: Survey) => Promise<T>): Promise<T | null> {
  const { url, replicas, clock } = options;
  if (url.kind === "embedded") return null;
  // The NATS client is loaded only when it is used.
  const { openSurvey } = await import("../broker/nats/survey.ts");
  const survey = await openSurvey({ url, replicas, clock });
  try {
    return await work(survey);
  } finally {
    await survey.close();
  }
}

/** The databases that have claimed an id. */
export async function holdersOf(survey: Survey, id: string): Promise<readonly DatabaseLocation[]> {
  return holdersIn(await survey.valueOf(bucketOf(id), claimKey));
}

/**
 * The stream that installations used before they had ids. Streams under an id are not listed, because
 * their owner is not known for sure.
 */
export async function oldStreams(survey: Survey): Promise<string[]> {
  const description = await survey.descriptionOf(formerStream);
  return description?.startsWith("Rollcall") === true ? [formerStream] : [];
}

/** Facts about the broker for the doctor. */
export async function examineBroker(options: SharedBrokerOptions, id: string | null): Promise<BrokerFacts> {
  const { kind } = options.url;
  const own = locationOf(options.dsn);
  const found = await withSurvey(options, async (survey) => {
    const holders = id === null ? [] : await holdersOf(survey, id);
    return {
      heldBy: holders.length === 0 || isHolder(holders, own) ? null : namedLocations(holders),
      oldStreams: await oldStreams(survey),
    };
  }).catch((error: unknown) => error as Error);
  const unknown = { kind, installation: id, heldBy: null, oldStreams: [] };
  if (found instanceof Error) return { ...unknown, up: false, reason: found.message };
  return { ...unknown, up: true, reason: null, ...found };
}
