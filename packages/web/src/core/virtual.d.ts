declare module "virtual:texts/*" {
  const texts: Record<string, unknown>;
  export default texts;
  export const bundles: Record<string, () => Promise<{ readonly default: Record<string, unknown> }>>;
}

/** `virtual:form/<feature>/<operation>[/<property>...]`: the body of an operation, or a part of it, for a form. */
declare module "virtual:form/*" {
  const contract: import("#core/forms/contract.ts").FormContract;
  export default contract;
}
