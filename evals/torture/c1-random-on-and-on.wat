(module
  ;; The allocator hands out the same place again, so that memory is not what ends it.
  (import "teacher-assist:plugin/random@0.2.0" "bytes" (func $bytes (param i32 i32)))
  (memory (export "memory") 2)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
  (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32)
    (loop $again (call $bytes (i32.const 1024) (i32.const 3072)) (br $again)) (unreachable)))
