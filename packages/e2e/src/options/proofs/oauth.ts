import type { OptionProof } from "../proof.ts";

export const proofs: readonly OptionProof[] = [];
