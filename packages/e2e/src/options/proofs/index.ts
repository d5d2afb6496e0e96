import type { OptionProof } from "../proof.ts";
import { proofs as access } from "./access.ts";
import { proofs as audit } from "./audit.ts";
import { proofs as broker } from "./broker.ts";
import { proofs as core } from "./core.ts";
import { proofs as database } from "./database.ts";
import { proofs as http } from "./http.ts";
import { proofs as icons } from "./icons.ts";
import { proofs as imageProxy } from "./imageProxy.ts";
import { proofs as log } from "./log.ts";
import { proofs as oauth } from "./oauth.ts";
import { proofs as otlp } from "./otlp.ts";
import { proofs as pool } from "./pool.ts";
import { proofs as updateCheck } from "./updateCheck.ts";
import { proofs as storage } from "./storage.ts";

/** The proofs by file. */
export const proofsByFile: Readonly<Record<string, readonly OptionProof[]>> = {
  core,
  log,
  http,
  database,
  pool,
  broker,
  access,
  oauth,
  audit,
  otlp,
  updateCheck,
  imageProxy,
  icons,
  storage,
};
