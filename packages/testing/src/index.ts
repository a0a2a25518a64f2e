export { Faults, type FaultyMethod, MemoryObjectStore } from "./MemoryObjectStore.ts"
