import { guardErrors } from "./contract/guard.ts";
import { AppError } from "./errors.ts";

/** A refusal of input that its schema cannot describe; `field` is a path such as `body.message`, `problem` what is wrong with it. */
export const invalid = (field: string, problem: string) => new AppError(guardErrors.invalidInput, { params: { field, problem } });
