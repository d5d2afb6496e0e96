declare module "virtual:texts/*" {
  const texts: Record<string, unknown>;
  export default texts;
  export const bundles: Record<string, () => Promise<{ readonly default: Record<string, unknown> }>>;
}
