/** The city of the first start. */
export const demoSeed = 42;
