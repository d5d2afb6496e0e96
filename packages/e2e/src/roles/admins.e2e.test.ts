import { createScope } from "#kit/settings.ts";
