import type { Generator } from "./generator.ts";
import { generator as asyncapi } from "./asyncapi.ts";
import { generator as config } from "./config.ts";
import { generator as glossary } from "./glossary.ts";
import { generator as icons } from "./icons.ts";
import { generator as machines } from "./machines.ts";
import { generator as metrics } from "./metrics.ts";
import { generator as objects } from "./objects.ts";
import { generator as openapi } from "./openapi.ts";
import { generator as proof } from "./proof.ts";
import { generator as reference } from "./reference.ts";
import { generator as retention } from "./retention.ts";
import { generator as sdk } from "./sdk.ts";

/** Everything that is derived from the composed program. */
export const generators: readonly Generator[] = [
  glossary,
  config,
  openapi,
  sdk,
  asyncapi,
  reference,
  metrics,
  proof,
  retention,
  machines,
  objects,
  icons,
];
