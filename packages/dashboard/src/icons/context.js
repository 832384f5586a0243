"use client";
import { createContext, useContext } from "react";
const LucideContext = createContext({});
const useLucideContext = () => useContext(LucideContext);
export { useLucideContext };
