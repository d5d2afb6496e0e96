// The parts of this feature that others may use.
export { LegalLinks } from "./legal.tsx";
