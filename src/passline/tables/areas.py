def areas_of(live, seat): return []
