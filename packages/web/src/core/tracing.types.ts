import type { OutputOf } from "@rollcall/server/contract/core";
import type { clientConfig } from "@rollcall/server/contract/system";

export type TracingSettings = NonNullable<OutputOf<typeof clientConfig>["tracing"]>;
