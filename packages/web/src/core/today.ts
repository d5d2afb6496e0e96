import { useClientConfig } from "./client.ts";
import { transport } from "./services.ts";
import { dayAt } from "./time.ts";

/** The day of now in the zone of the community. */
export const today = (): string => dayAt(transport.serverNow());

/** The same, again once the zone is known. */
export function useToday(): string {
  useClientConfig();
  return today();
}
