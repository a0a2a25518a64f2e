export { Faults, type FaultyMethod, MemoryObjectStore } from "./MemoryObjectStore.ts"
export * as TestDatabase from "./TestDatabase.ts"
